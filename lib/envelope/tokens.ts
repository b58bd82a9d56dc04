/** The token estimator: characters by four, a coarse dial and no count. @module */

/** Characters that one estimated token stands for. */
export const CHARS_PER_TOKEN = 4;

/** Estimated tokens of a text of `chars` UTF-16 units. Undercounts minified JSON by a quarter and CJK by far more. */
export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
