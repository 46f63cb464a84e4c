import { describe, expect, it } from "vitest";
import { contentOf, documentOf, FermataError, factsOf, jsonOf } from "../../src/npm/fermata.ts";
import { type Asked, calling, done, format, over, result, sessionOf, tenantOf, user } from "./npm-threads.ts";

interface Row {
  readonly row: string;
  readonly stored: readonly (readonly object[])[];
  readonly is: "resumed" | "replayed";
  readonly prefix?: number;
  readonly reDrive?: number;
  readonly evidence?: number;
  readonly void?: number;
  readonly inDoubt?: readonly string[];
}

describe.each(["grpc", "connect"] as const)("recover by %s", (protocol) => {
  const tenant = tenantOf(protocol, { formats: { "acme/1": {} } });

  it.each<Row>([
    { row: "a finished turn", stored: [[user, done]], is: "resumed" },
    { row: "user input without an answer", stored: [[user]], is: "replayed", reDrive: 1 },
    {
      row: "a call without a result",
      stored: [[user, calling("a")]],
      is: "replayed",
      reDrive: 1,
      void: 1,
      inDoubt: ["a"],
    },
    {
      row: "one of two calls answered",
      stored: [[user, calling("a", "b"), result("b")]],
      is: "replayed",
      reDrive: 1,
      evidence: 2,
      inDoubt: ["a"],
    },
    {
      row: "a second turn that is open",
      stored: [
        [user, done],
        [user, done, user, calling("a"), result("a"), calling("b")],
      ],
      is: "replayed",
      prefix: 2,
      reDrive: 1,
      evidence: 2,
      void: 1,
      inDoubt: ["b"],
    },
  ])(
    "answers for $row",
    async ({ stored, is, prefix = 0, reDrive = 0, evidence = 0, void: left = 0, inDoubt = [] }) => {
      const { session, ids } = await sessionOf(tenant.fermata, stored);
      const found = await tenant.fermata.recover(session);
      expect([found.prefix, found.reDrive, found.evidence, found.void].map((entries) => entries.length)).toEqual([
        prefix,
        reDrive,
        evidence,
        left,
      ]);
      expect(found.inDoubt).toEqual(inDoubt);
      expect([found.head, found.source.ref?.checkpointId]).toEqual([ids.at(-1), ids.at(-1)]);
      const messages = stored.at(-1) ?? [];
      if (found.document === undefined) {
        expect(is).toBe("replayed");
        expect(factsOf(found.unsafe, "unsafeBoundary")?.checkpointId).toBe(ids.at(-1));
        expect(found.prefix.map(jsonOf)).toEqual(messages.slice(0, prefix));
        const all = [...found.prefix, ...found.reDrive, ...found.evidence, ...found.void];
        const inOrder = all.toSorted((a, b) => Number(a.position - b.position));
        expect(inOrder.map(jsonOf)).toEqual(messages);
      } else {
        expect(is).toBe("resumed");
        expect(found.unsafe).toBeUndefined();
        expect(contentOf(found.document)).toEqual(messages);
      }
    },
  );

  it("registers in the place of what was replayed, once, however often it is asked", async () => {
    const { session, ids } = await sessionOf(tenant.fermata, [[user, calling("a")]]);
    const found = await tenant.fermata.recover(session);
    const whole = documentOf(format, [user, calling("a"), result("a"), done]);
    const first = await found.register(whole);
    const again = await found.register(whole);
    expect([first.firstAnswerRepeated, again.firstAnswerRepeated]).toEqual([false, true]);
    expect(again.checkpoint).toEqual(first.checkpoint);
    expect(first.checkpoint?.sourceCheckpointId).toBe(ids[0]);
    const other = await found.register(documentOf(format, [user, done])).catch((thrown: unknown) => thrown);
    expect(other).toBeInstanceOf(FermataError);
    expect(factsOf(other, "headConflict")?.actualHead).toBe(first.checkpoint?.ref?.checkpointId);
    const after = await tenant.fermata.recover(session);
    expect(after.document && contentOf(after.document)).toEqual([user, calling("a"), result("a"), done]);
  });

  it("registers behind what was resumed", async () => {
    const { session, ids } = await sessionOf(tenant.fermata, [[user, done]]);
    const next = [user, done, user];
    const { checkpoint } = await (await tenant.fermata.recover(session)).register(documentOf(format, next));
    expect(checkpoint?.parentCheckpointId).toBe(ids[0]);
    expect((await tenant.fermata.recover(session)).reDrive.map(jsonOf)).toEqual([user]);
  });

  it("registers nothing that ends in the middle of a turn", async () => {
    const { session } = await sessionOf(tenant.fermata, [[user, calling("a")]]);
    const found = await tenant.fermata.recover(session);
    const refused = await found.register(documentOf(format, [user])).catch((thrown: unknown) => thrown);
    expect(factsOf(refused, "unsafeBoundary")).toBeDefined();
    expect((await tenant.fermata.recover(session)).head).toBe(found.head);
  });

  it.each([
    { row: "a thread that is not there", leaf: "threadNotFound", thread: "nobody" },
    { row: "a key that is not there", leaf: "threadNotFound", thread: { threadKey: "acme:_:nobody" } },
    { row: "a session without an id", leaf: "sessionIdentity", thread: "" },
    { row: "no tenant", leaf: "sessionIdentity", thread: { tenantId: "", sessionId: "s" } },
    { row: "a state that no adapter reads", leaf: "unsafeBoundary", thread: "opaque" },
    {
      row: "the claim of another tenant",
      leaf: "sessionIdentity",
      thread: { threadKey: "acme:_:opaque", claimedTenantId: "b" },
    },
  ])("hands on what no replay gets around: $row", async ({ thread, leaf }) => {
    await tenant.fermata.issue("opaque", documentOf("acme/1", new Uint8Array([1, 2])));
    const refused = await tenant.fermata.recover(thread).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(FermataError);
    expect((refused as FermataError).leaf.case).toBe(leaf);
  });

  it("finds a part of a tenant, and the same thread by its key", async () => {
    const session = { sessionId: "part", subTenantId: "eu" };
    const { checkpoint } = await tenant.fermata.issue(session, documentOf(format, [user]));
    const { ref } = checkpoint ?? {};
    const found = await Promise.all(
      [session, { threadKey: ref?.threadKey ?? "" }].map((by) => tenant.fermata.recover(by)),
    );
    expect(found.map(({ head }) => head)).toEqual([ref?.checkpointId, ref?.checkpointId]);
    await expect(tenant.fermata.recover("part")).rejects.toMatchObject({ leaf: { case: "threadNotFound" } });
  });

  it("replays what was judged, also when somebody writes in between", async () => {
    const { session, ids } = await sessionOf(tenant.fermata, [[user, calling("a")]]);
    const late = async function* (request: Asked) {
      await tenant.fermata.issue(session, documentOf(format, [user]), { expectedHead: ids[0] });
      yield* tenant.fermata.conversation.replay(request);
    };
    const found = await over(tenant.fermata, late).recover(session);
    expect([found.head, found.inDoubt]).toEqual([ids[0], ["a"]]);
  });
});
