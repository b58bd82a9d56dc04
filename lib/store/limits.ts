/** Every limit of the store, with its unit in its name. @module */

/** Columns of one dataset. */
export const COLUMNS_MAX = 2_000;
/** Rows of one dataset. */
export const ROWS_MAX = 500_000;
/** Payload bytes of one dataset. */
export const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;
/** Rows of one data chunk, which is the engine's vector size. */
export const CHUNK_ROWS = 2_048;
/** Distinct texts of a column up to which they are all listed. */
export const LISTED_VALUES_MAX = 8;
/** Characters of a text that may be listed. */
export const LISTED_CHARS_MAX = 40;
/** Columns of one table whose values are listed. */
export const LISTED_COLUMNS_MAX = 20;
/** Rows up to which a table is appended; a larger one is asked for by the engine, which costs more to begin with. */
export const APPENDED_ROWS_MAX = 2 * CHUNK_ROWS;
/** UTF-8 bytes of one cell that is read out of the engine; longer ones are refused with words. */
export const CELL_BYTES_MAX = 16 * 1024 * 1024;
/** Elements below one chunk of a nested column that is read out of the engine. */
export const NESTED_ITEMS_MAX = 4_000_000;
/** UTF-16 units of one SQL text. */
export const SQL_CHARS_MAX = 64 * 1024;
/** Nesting of comments in one SQL text: the engine's lexer takes quadratic time over nested ones. */
export const COMMENT_DEPTH_MAX = 16;
/** Nesting of brackets in one SQL text. */
export const BRACKET_DEPTH_MAX = 250;
/** Bytes of the spill folder. */
export const SPILL_BYTES_MAX = 8 * 1024 * 1024 * 1024;
/** Bytes of engine memory that one thread needs to work without starving. */
export const THREAD_BYTES_MIN = 64 * 1024 * 1024;
/** Milliseconds that counting the rest of a capped answer may take. */
export const COUNTING_MS_MAX = 2_000;
/** Milliseconds between two interrupts of a query that has run out of time. */
export const INTERRUPT_EVERY_MS = 50;
/** Evicted or dropped datasets that are remembered, so that a stale ref gets a useful answer. */
export const REMEMBERED_REFS_MAX = 2_000;
/** Refs that an error message names. */
export const NAMED_REFS_MAX = 20;
/** UTF-16 units of a least or greatest value that is kept in a profile. */
export const EXTREME_CHARS_MAX = 200;
/** Columns that are profiled by one statement. */
export const PROFILED_COLUMNS_MAX = 250;
