// SPDX-License-Identifier: Apache-2.0
/** Volumes: files of a mount that are read and written in place as block devices (RFC 0028; ANViL §3 and §4). */
@NullMarked
package io.packing.volumes;

import org.jspecify.annotations.NullMarked;
