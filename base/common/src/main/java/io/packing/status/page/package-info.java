// SPDX-License-Identifier: Apache-2.0
/**
 * A daemon's status page: its report, the plots of the last hour, and the files that show them in a browser. This
 * package writes JSON without a library, since Alluxio's processes load these classes too.
 */
@NullMarked
package io.packing.status.page;

import org.jspecify.annotations.NullMarked;
