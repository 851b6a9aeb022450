// SPDX-License-Identifier: Apache-2.0
/** The style that the status page and all reports in HTML share: stylesheet, head, tables, plots and their legends. */
@NullMarked
package io.packing.pages;

import org.jspecify.annotations.NullMarked;
