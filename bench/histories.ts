/** A history of `openai-chat/1` as agents make them: a question, a call, its result of several lines, an answer. */
export function historyOf(turns: number): readonly object[] {
  return Array.from({ length: turns }, (_unused, turn) => turnOf(turn)).flat();
}

/** One turn, always the same for its number: four messages of about 2 KB together. */
export function turnOf(turn: number): readonly object[] {
  const id = `call_${turn}_${wordOf(turn)}`;
  return [
    { role: "user", content: textOf(turn * 7, 30) },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id,
          type: "function",
          function: { name: "search", arguments: JSON.stringify({ query: textOf(turn * 11, 8) }) },
        },
      ],
    },
    { role: "tool", tool_call_id: id, content: textOf(turn * 13, 160) },
    { role: "assistant", content: textOf(turn * 17, 80) },
  ];
}

const wordsInALine = 12;

function textOf(seed: number, words: number): string {
  const text = Array.from({ length: words }, (_unused, at) => wordOf(seed * 1_000 + at));
  return text.map((word, at) => (at % wordsInALine === wordsInALine - 1 ? `${word}.\n` : `${word} `)).join("");
}

/** A word that compresses as badly as words do: a hash of its place. */
function wordOf(place: number): string {
  return ((place * 2_654_435_761) % 4_294_967_296).toString(36);
}
