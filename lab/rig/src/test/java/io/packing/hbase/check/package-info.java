// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.hbase.check;

import org.jspecify.annotations.NullMarked;
