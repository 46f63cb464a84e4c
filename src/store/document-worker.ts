import {
  type DocumentAsk,
  examineStored,
  judgeDocument,
  prepareDocument,
  replayStored,
  transcribeStored,
} from "./document-work.ts";
import { remembering } from "./layout-cache.ts";
import { answered, onAsk, type Posted, post, type Sent, threw } from "./worker-post.ts";

const replays = remembering(replayStored);
const transcripts = remembering(transcribeStored);

onAsk<DocumentAsk>((posted) => post([attempt(posted)]));

function attempt(posted: Posted<DocumentAsk>): Sent {
  try {
    return reply(posted);
  } catch (thrown) {
    return threw(posted.id, thrown);
  }
}

function reply({ id, ask }: Posted<DocumentAsk>): Sent {
  switch (ask.kind) {
    case "judge":
      return answered(id, judgeDocument(ask.judged));
    case "examine": {
      const examined = examineStored(ask.stored);
      return answered(id, examined, [examined.bytes.buffer]);
    }
    case "replay": {
      const laidOut = replays(ask.stored);
      return answered(id, laidOut, [laidOut.bytes.buffer]);
    }
    case "transcript": {
      const laidOut = transcripts(ask.stored);
      return answered(id, laidOut, [laidOut.bytes.buffer]);
    }
    case "prepare": {
      const prepared = prepareDocument(ask.judged);
      return answered(id, prepared, [prepared.payload.bytes.buffer, prepared.payload.entries.buffer]);
    }
  }
}
