/** The parse tree of a statement. @module */

/** A node of it, as `json_serialize_sql` writes it. */
export type Node = { readonly [key: string]: unknown };
