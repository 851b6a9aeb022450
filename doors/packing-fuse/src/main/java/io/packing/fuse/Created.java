// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** A file that was created and opened. */
public record Created(Entry entry, Opened opened) {}
