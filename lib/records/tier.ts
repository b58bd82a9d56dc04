/** What a way of finding rows in formatted text must offer. @module */

import type { SourceKind } from "../dataset.ts";

/** Rows that a tier found: every cell as the text that stood there. */
export interface TextRecords {
  /** Column names as they stood in the text; not yet unique. */
  readonly header: readonly string[];
  /** One array per record, as long as `header`; `undefined` where a record lacks the key. */
  readonly rows: readonly (readonly (string | undefined)[])[];
  /** Characters of non-blank source text that became rows or header. */
  readonly consumedChars: number;
  /** What stood around the records and was not consumed, in order, trimmed, without blanks. */
  readonly residue: readonly string[];
  /** For tiers whose cells are typed by their syntax (YAML, Python): JSON text per cell instead of plain text. */
  readonly jsonCells?: boolean | undefined;
}

/** What a tier makes of a text. A refusal has a reason that is counted and logged; it never throws. */
export type TierOutcome =
  | { readonly kind: "records"; readonly records: TextRecords }
  | { readonly kind: "refused"; readonly reason: string };

/** One way of finding rows in formatted text. Pure, linear in the text. */
export interface Tier {
  readonly source: SourceKind;
  /** True when the text could be this tier's at a glance (one cheap scan); false refuses without reading further. */
  readonly plausible: (text: string) => boolean;
  readonly read: (text: string) => TierOutcome;
}
