// SPDX-License-Identifier: Apache-2.0
/** Logins by Kerberos, at a KDC of Hadoop's. */
@NullMarked
package io.packing.hadoop.kerberos;

import org.jspecify.annotations.NullMarked;
