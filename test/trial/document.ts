/** The document of a thread at a place: a history that grows by one turn. Nothing but its two names decides its bytes. */
export function documentOf(session: string, sequence: number): string {
  const turns = Array.from({ length: sequence }, (_, turn) => turnOf(session, turn));
  return JSON.stringify(turns.flat());
}

/** One thread in so many begins with a text that is cut into several chunks. */
const largeEvery = 40;
const largeRepeats = 3_000;

function turnOf(session: string, turn: number): readonly object[] {
  const question = `What does ${session} ask in turn ${turn}?`;
  const isLarge = turn === 0 && Number(session.split("-").at(-1)) % largeEvery === 0;
  const content = isLarge
    ? Array.from({ length: largeRepeats }, (_, line) => `${line} ${question}`).join("\n")
    : question;
  return [
    { role: "user", content },
    { role: "assistant", content: `Turn ${turn} of ${session} is answered.` },
  ];
}
