/** How large a result may be and still become a table, each bound with its unit. @module */

/** Columns of one table, after flattening. Beyond it the result passes. */
export const MAX_COLUMNS = 2_000;

/** Rows of one table. Beyond it the result passes. */
export const MAX_ROWS = 500_000;

/** UTF-8 bytes of the channel that the rows are read from. Beyond it the result passes. */
export const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** Rows times columns of one table: bounds the memory of sparse rows, which few bytes can blow up. */
export const MAX_CELLS = 24_000_000;

/** Containers inside containers, anywhere in a document. The engine's JSON functions overflow their stack on deep data. */
export const MAX_JSON_DEPTH = 200;

/** Containers around an array that may still be the table. */
export const MAX_SEARCH_DEPTH = 8;

/** Fewer rows than this say more as they stand than behind SQL. */
export const MIN_ROWS = 2;

/** An object of objects with fewer members than this is a record, not a map of records. */
export const MIN_MAP_ROWS = 5;

/** Fewer records than this are documents when each is long and nearly all of it stands in one column. */
export const FEW_RECORDS = 10;

/** Characters of one cell in every one of few records from which they count as documents. */
export const DOCUMENT_CHARS = 2_000;

/** The share of all text that makes a column the document. */
export const DOCUMENT_SHARE = 0.8;

/** Objects or arrays in a list that one of few records holds, from which that list is the table. */
export const HELD_ROWS = 20;

/** The share of all text that makes a column of nested records the tree itself. */
export const TREE_SHARE = 0.5;

/** Above this many columns a table must be filled to at least {@link MIN_FILL}. */
export const SPARSE_COLUMNS = 100;

/** The least share of cells that hold a value, once there are more than {@link SPARSE_COLUMNS} columns. */
export const MIN_FILL = 0.05;

/** Characters of a column name; the rest of a longer key stands in the column's path only. */
export const MAX_NAME_CHARS = 200;

/** Characters of a leftover object above which its members become context items of their own. */
export const CONTEXT_SPLIT_CHARS = 256;

/** Characters of a text beside the rows above which its start and its end become context items of their own. */
export const LONG_TEXT_CHARS = 1_000;

/** Visible characters of sentences around the JSON values of a text, or in blocks beside it, that an envelope still shows. */
export const MAX_PROSE_CHARS = 1_500;

/** Context items of one result; what is left then stays unsplit. */
export const MAX_CONTEXT_ITEMS = 400;

/** How often a JSON string may hold JSON text that holds a JSON string, and so on. */
export const MAX_ENCODING_DEPTH = 3;

/** More values among sentences than this are snippets of a document, not a result. */
export const MAX_SCATTERED_VALUES = 50;

/** More characters than this that look like a value and are none make the text something else. */
export const MAX_BROKEN_CHARS = 256;

/** So many brackets that open nothing are looked at; a text with more of them is something else. */
export const MAX_VAIN_BRACKETS = 5_000;

/** More values than this in a row are not searched one by one for the one that holds the table. */
export const MAX_DOCUMENTS = 50;
