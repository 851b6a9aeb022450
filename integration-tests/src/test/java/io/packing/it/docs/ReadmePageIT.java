// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code README.md}. */
final class ReadmePageIT extends PageCommands {}
