/** An emoji with what belongs to it is kept; any other character that is not drawn, or changes how others are drawn, is hidden. */
const emojiOrHidden =
  /(\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{FE0F}?(?:\u{200D}(?=\p{Extended_Pictographic}))?)|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text of strangers on one line: line breaks, tabs, control, direction and zero-width characters become signs that
 * can be seen, e.g. `↵`, `␛`, `⟨U+202E⟩`.
 * @param keep characters that stay as they are
 */
export function visible(text: string, keep = ''): string {
  return text.replace(emojiOrHidden, (match, emoji: string | undefined) =>
    emoji !== undefined || keep.includes(match) ? match : sign(match),
  );
}

/** Like `visible`, but each line break is kept behind its sign. */
export function visibleLines(text: string): string {
  return visible(text).replaceAll('↵', '↵\n');
}

/** Like `visible`, cut to `limit` characters with an ellipsis. */
export function visibleShort(text: string, limit: number, keep = ''): string {
  const shown = visible(text.slice(0, limit + 1), keep);
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** A whole command in rows of at most `width` characters: nothing is left out and a line break is a sign at the end of a row. */
export function commandRows(command: string, width = 70): string[] {
  const lines = visibleLines(command).split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.flatMap(line => {
    const characters = Array.from(line);
    const rows = Math.max(1, Math.ceil(characters.length / width));
    return Array.from({ length: rows }, (_, row) => characters.slice(row * width, (row + 1) * width).join(''));
  });
}

function sign(character: string): string {
  if (character === '\n') return '↵';
  if (character === '\t') return '⇥';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
