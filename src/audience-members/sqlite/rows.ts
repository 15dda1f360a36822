/** What a statement returned, by the columns that it selects: node:sqlite does not know what they hold. */
export const rowAs = <Row>(row: object | undefined) => row as Row
