// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/security.md}. */
final class SecurityPageIT extends PageCommands {}
