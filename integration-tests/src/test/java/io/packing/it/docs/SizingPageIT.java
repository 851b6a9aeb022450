package io.packing.it.docs;

/** The commands of {@code docs/sizing.md}. */
final class SizingPageIT extends PageCommands {}
