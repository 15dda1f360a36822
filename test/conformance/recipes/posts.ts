import type { Recipe } from './recipe.ts'

export const postRecipes: Readonly<Record<string, Recipe>> = {}
