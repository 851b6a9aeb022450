// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.cli.log;

import org.jspecify.annotations.NullMarked;
