// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.lab.ibench;

import org.jspecify.annotations.NullMarked;
