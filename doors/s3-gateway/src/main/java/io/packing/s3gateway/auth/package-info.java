// SPDX-License-Identifier: Apache-2.0
/** Signatures of requests and of the chunks of their bodies, access keys, and checksums of bodies. */
@NullMarked
package io.packing.s3gateway.auth;

import org.jspecify.annotations.NullMarked;
