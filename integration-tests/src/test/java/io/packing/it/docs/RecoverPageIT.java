// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/recover.md}. */
final class RecoverPageIT extends PageCommands {}
