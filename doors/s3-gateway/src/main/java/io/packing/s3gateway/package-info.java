// SPDX-License-Identifier: Apache-2.0
/** The gateway that shows a mount as buckets over the protocol of Amazon S3 (RFC 0024). */
@NullMarked
package io.packing.s3gateway;

import org.jspecify.annotations.NullMarked;
