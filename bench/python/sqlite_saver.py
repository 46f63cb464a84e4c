"""Runs the turns of a JSON file through a LangGraph agent on its SqliteSaver and prints how many bytes stand on disk.

One line of the file is one turn: the messages of a chat in their order. The graph has one node, which answers with all
messages of the turn but the first: the state, and with it the checkpoints, is that of an agent that keeps its messages.
"""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from langchain_core.messages import convert_to_messages
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph


def main(turns_file: str, database: str) -> None:
    turns: list[list[Any]] = [convert_to_messages(json.loads(line)) for line in Path(turns_file).read_text().splitlines()]
    rest: list[Any] = []

    def answer(_state: MessagesState) -> dict[str, Any]:
        return {"messages": rest}

    builder = StateGraph(MessagesState)
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    connection = sqlite3.connect(database, check_same_thread=False)
    graph = builder.compile(checkpointer=SqliteSaver(connection))
    for first, *rest in turns:
        graph.invoke({"messages": [first]}, {"configurable": {"thread_id": "bench"}})
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    print(Path(database).stat().st_size)


if __name__ == "__main__":
    main(*sys.argv[1:])
