// SPDX-License-Identifier: Apache-2.0
/** Object stores behind one port: S3 and a local directory, and decorators that meter, limit and inject faults. */
@NullMarked
package io.packing.store;

import org.jspecify.annotations.NullMarked;
