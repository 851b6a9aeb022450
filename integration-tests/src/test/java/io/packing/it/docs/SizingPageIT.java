// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/sizing.md}. */
final class SizingPageIT extends PageCommands {}
