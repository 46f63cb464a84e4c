/**
 * A matcher of whole names: `*` is any run of code points, `?` is one, everything else is itself; there is no escape. It goes back to the
 * last star only, so its time is bounded by the product of the two lengths however many stars there are.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  const pattern = glob.replace(/\*+/g, "*");
  return (name) => matches(pattern, name);
}

function matches(pattern: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = pattern.charCodeAt(next);
    if (wanted === asterisk) {
      star = next;
      next += 1;
      resume = at;
    } else if (wanted === questionMark) {
      next += 1;
      at += unitsAt(name, at);
    } else if (wanted === name.charCodeAt(at)) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      next = star + 1;
      resume += unitsAt(name, resume);
      at = resume;
    } else {
      return false;
    }
  }
  return next === pattern.length || (next === pattern.length - 1 && pattern.charCodeAt(next) === asterisk);
}

const asterisk = 0x2a;
const questionMark = 0x3f;

function unitsAt(name: string, at: number): number {
  return (name.charCodeAt(at) & 0xfc00) === 0xd800 ? 2 : 1;
}
