package io.packing.it.docs;

/** The commands of {@code docs/tasks.md}. */
final class TasksPageIT extends PageCommands {}
