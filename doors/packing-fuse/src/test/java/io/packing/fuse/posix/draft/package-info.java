// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuse.posix.draft;

import org.jspecify.annotations.NullMarked;
