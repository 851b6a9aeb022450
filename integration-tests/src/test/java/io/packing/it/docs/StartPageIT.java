// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/start.md}. */
final class StartPageIT extends PageCommands {}
