package io.packing.it.docs;

/** The commands of {@code docs/upgrade.md}. */
final class UpgradePageIT extends PageCommands {}
