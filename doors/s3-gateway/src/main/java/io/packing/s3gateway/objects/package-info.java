// SPDX-License-Identifier: Apache-2.0
/** MountBuckets, objects and uploads as directories and files of a mount. */
@NullMarked
package io.packing.s3gateway.objects;

import org.jspecify.annotations.NullMarked;
