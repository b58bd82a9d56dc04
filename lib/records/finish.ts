/** From filled column stores to a table: order, names, types and formats. @module */

import type { Table, TableColumn } from "../dataset.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { formatOf } from "./formats.ts";
import { typeColumn } from "./infer.ts";
import { MAX_COLUMNS } from "./limits.ts";
import { NameBook } from "./names.ts";
import { Refusal } from "./refusal.ts";
import { refuseDocuments, refuseHolders, refuseSparse, refuseTree } from "./unfit.ts";

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
  const stores = placed.map(({ store }) => store);
  refuseSparse(stores, rowCount);
  if (!text.isWellFormed()) stores.forEach(markBroken);
  const names = new NameBook();
  const columns = placed.map((column) => finishColumn(text, column, names.claim(column.key)));
  refuseTree(group);
  refuseDocuments(columns, rowCount);
  refuseHolders(columns, rowCount);
  return { rowCount, columns };
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
