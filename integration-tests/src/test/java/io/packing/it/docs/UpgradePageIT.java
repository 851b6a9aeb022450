// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/upgrade.md}. */
final class UpgradePageIT extends PageCommands {}
