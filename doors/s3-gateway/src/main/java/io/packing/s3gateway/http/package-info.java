// SPDX-License-Identifier: Apache-2.0
/** The S3 protocol over HTTP. */
@NullMarked
package io.packing.s3gateway.http;

import org.jspecify.annotations.NullMarked;
