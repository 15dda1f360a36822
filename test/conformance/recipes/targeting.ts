import type { Recipe } from './recipe.ts'

export const targetingRecipes: Readonly<Record<string, Recipe>> = {}
