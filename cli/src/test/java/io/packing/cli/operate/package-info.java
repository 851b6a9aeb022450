// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.cli.operate;

import org.jspecify.annotations.NullMarked;
