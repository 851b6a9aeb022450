// SPDX-License-Identifier: Apache-2.0
/** The audit log of a master's requests, one line each, in the format of HDFS. */
@NullMarked
package io.packing.bdt.master.audit;

import org.jspecify.annotations.NullMarked;
