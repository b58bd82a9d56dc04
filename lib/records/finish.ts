/** From filled column stores to a table: order, names, types and formats. @module */

import type { Table, TableColumn } from "../dataset.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { formatOf } from "./formats.ts";
import { typeColumn } from "./infer.ts";
import { DOCUMENT_CHARS, DOCUMENT_SHARE, FEW_RECORDS, MAX_COLUMNS, MIN_FILL, SPARSE_COLUMNS } from "./limits.ts";
import { NameBook } from "./names.ts";
import { Refusal } from "./refusal.ts";

interface Placed {
  readonly store: ColumnStore;
  /** Where it stood: keys from the outside in, joined with a dot. */
  readonly path: string;
  /** What its name is made from: the same, joined with `_`. */
  readonly key: string;
}

/** Makes the table of `rowCount` rows whose numbers start in `text`. Refuses one without columns, too wide or too empty. */
export function finishTable(text: string, group: ColumnGroup, rowCount: number): Table {
  const placed = placeColumns(group);
  if (placed.length === 0) throw new Refusal("no-columns: the objects are empty");
  if (placed.length > MAX_COLUMNS) throw new Refusal(`too-many-columns: ${placed.length}, at most ${MAX_COLUMNS}`);
  refuseSparse(placed, rowCount);
  if (!text.isWellFormed()) placed.forEach(({ store }) => markBroken(store));
  const names = new NameBook();
  const columns = placed.map((column) => finishColumn(text, column, names.claim(column.key)));
  if (rowCount < FEW_RECORDS) refuseDocuments(columns, rowCount);
  return { rowCount, columns };
}

/**
 * A few pages of text, or a tree of which only the top was cut into rows, are read better as they stand: all of it would
 * lie in one column.
 */
function refuseDocuments(columns: readonly TableColumn[], rowCount: number): void {
  const lengths = columns.flatMap(({ cells }) =>
    cells.kind === "text" ? [cells.values.map((value) => value?.length ?? 0)] : []
  );
  const total = sumOf(lengths.map(sumOf));
  const isDocument = lengths.some((column) =>
    sumOf(column) >= DOCUMENT_SHARE * total && column.every((chars) => chars >= DOCUMENT_CHARS)
  );
  if (isDocument) throw new Refusal(`documents: nearly all of ${rowCount} records stands in one column`);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function finishColumn(text: string, { store, path }: Placed, name: string): TableColumn {
  const { type, cells } = typeColumn(text, store);
  const format = type === "VARCHAR" && cells.kind === "text" ? formatOf(cells.values) : undefined;
  return {
    name,
    ...(path === name ? {} : { path }),
    type,
    ...(format === undefined ? {} : { format }),
    cells,
  };
}

/** Looks for half surrogate pairs that stand in the text as they are, which no escape gave away while reading. */
function markBroken(store: ColumnStore): void {
  store.broken ||= store.strings?.some((value) => value?.isWellFormed() === false) ?? false;
}

/** Columns in the order in which their keys came, an object's members in the object's place. */
function placeColumns(group: ColumnGroup): Placed[] {
  return group.columns.flatMap((store) => {
    const own = holdsOwnValues(store) ? [{ store, path: store.key, key: store.key }] : [];
    const below = (store.below?.columns ?? []).map((inner) => ({
      store: inner,
      path: `${store.key}.${inner.key}`,
      key: `${store.key}_${inner.key}`,
    }));
    return [...own, ...below];
  });
}

/** Whether something stood under the key itself, be it null, rather than objects that went below. */
function holdsOwnValues(store: ColumnStore): boolean {
  return (store.seen & ~(1 << CellKind.FLATTENED)) !== 0;
}

function refuseSparse(placed: readonly Placed[], rowCount: number): void {
  if (placed.length <= SPARSE_COLUMNS) return;
  let filled = 0;
  for (const { store } of placed) for (const kind of store.kinds) if (kind !== CellKind.MISSING) filled++;
  if (filled < MIN_FILL * placed.length * rowCount) {
    throw new Refusal(`sparse: ${placed.length} columns, nearly all of them empty`);
  }
}
