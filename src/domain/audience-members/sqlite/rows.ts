/** Gives the row of a statement its type, which node:sqlite does not know. */
export const rowAs = <Row>(row: object | undefined) => row as Row
