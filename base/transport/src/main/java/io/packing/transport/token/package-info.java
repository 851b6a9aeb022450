// SPDX-License-Identifier: Apache-2.0
/**
 * Signed tokens: their bytes, and their check by a server that asks no other process. docs/security.md is normative.
 */
@NullMarked
package io.packing.transport.token;

import org.jspecify.annotations.NullMarked;
