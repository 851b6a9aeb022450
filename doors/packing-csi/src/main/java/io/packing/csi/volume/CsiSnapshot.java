// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

/** A snapshot: its id and its record. */
public record CsiSnapshot(CsiId id, SnapshotRecord record) {}
