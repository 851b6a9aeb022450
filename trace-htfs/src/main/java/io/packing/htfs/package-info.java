// SPDX-License-Identifier: Apache-2.0
/**
 * HTFS (Harter's thesis, §3.2.1): wrappers around Hadoop's file systems that trace every call. A configuration alone
 * deploys them.
 */
@NullMarked
package io.packing.htfs;

import org.jspecify.annotations.NullMarked;
