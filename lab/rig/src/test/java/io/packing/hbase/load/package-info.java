// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.hbase.load;

import org.jspecify.annotations.NullMarked;
