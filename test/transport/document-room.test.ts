import { describe, expect, it } from "vitest";
import { DocumentRoom, Share } from "../../src/transport/document-room.ts";

describe("the room of the documents in flight", () => {
  it("lets in what fits beside the others, and whoever is alone", () => {
    const room = new DocumentRoom(10);
    const [one, other] = [new Share(room), new Share(room)];
    expect(one.resize(12)).toBe(true);
    expect(other.resize(1)).toBe(false);
    expect(one.resize(9)).toBe(true);
    expect(other.resize(1)).toBe(true);
    expect(one.resize(10)).toBe(false);
    expect(room.held).toBe(10);
  });

  it("lets those who wait in in their order, as soon as there is room", async () => {
    const room = new DocumentRoom(10);
    const [holder, first, second] = [new Share(room), new Share(room), new Share(room)];
    holder.resize(10);
    const order: string[] = [];
    const waits = [
      first.resizeWithin(8, 5_000).then((found) => order.push(`first ${found}`)),
      second.resizeWithin(2, 5_000).then((found) => order.push(`second ${found}`)),
    ];
    holder.resize(5); // the second would fit, but it came later
    expect(room.held).toBe(5);
    holder.giveBack();
    await Promise.all(waits);
    expect(order).toEqual(["first true", "second true"]);
    expect(room.held).toBe(10);
  });

  it("tells who waited in vain, and forgets him", async () => {
    const room = new DocumentRoom(10);
    const [holder, late] = [new Share(room), new Share(room)];
    holder.resize(10);
    expect(await late.resizeWithin(1, 20)).toBe(false);
    holder.giveBack();
    expect(room.held).toBe(0);
  });

  it("holds nothing for an exchange that has ended", () => {
    const room = new DocumentRoom(10);
    const gone = new Share(room);
    gone.resize(4);
    gone.giveBack();
    expect(gone.resize(8)).toBe(true);
    expect(room.held).toBe(0);
  });
});
