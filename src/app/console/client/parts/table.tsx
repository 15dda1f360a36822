import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Scrolled } from './scrolled.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** What rows are sorted by. Without it, they are not sorted by this column. */
  readonly sortBy?: (row: Row) => number | string
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** The index of the column that it is sorted by at first, descending. */
  readonly sortedBy?: number
}

/**
 * A table. Headings that are buttons sort it. On a small screen each row is a list of its cells, so
 * that nothing is beside the screen.
 */
export function Table<Row>({ label, rows, columns, keyOf, sortedBy }: TableProps<Row>): JSX.Element {
  const [order, setOrder] = useState<{ column: number | undefined; isDown: boolean }>({
    column: sortedBy,
    isDown: true,
  })
  const sortBy = order.column === undefined ? undefined : columns[order.column]?.sortBy
  const sorted = sortBy
    ? rows.toSorted((a, b) => compare(sortBy(a), sortBy(b)) * (order.isDown ? -1 : 1))
    : rows
  return (
    <Scrolled label={label} class="table">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Heading
                key={column.title}
                column={column}
                direction={order.column === index ? (order.isDown ? 'descending' : 'ascending') : undefined}
                onSort={() =>
                  setOrder({ column: index, isDown: order.column === index ? !order.isDown : true })
                }
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={isNumber ? 'number' : ''} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly direction: 'ascending' | 'descending' | undefined
  readonly onSort: () => void
}

function Heading<Row>({ column: { title, isNumber, sortBy }, direction, onSort }: HeadingProps<Row>) {
  const arrow = direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''
  return (
    <th class={isNumber ? 'number' : ''} scope="col" {...(direction && { 'aria-sort': direction })}>
      {sortBy ? (
        <button type="button" onClick={onSort}>
          {title}
          <span aria-hidden="true">{arrow}</span>
        </button>
      ) : (
        title
      )}
    </th>
  )
}
