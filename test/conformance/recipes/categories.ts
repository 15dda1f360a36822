import type { Recipe } from './recipe.ts'

export const categoryRecipes: Readonly<Record<string, Recipe>> = {}
