import type { Recipe } from './recipe.ts'

export const accountRecipes: Readonly<Record<string, Recipe>> = {}
