// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

/** A volume: its id and its record. */
public record CsiVolume(CsiId id, VolumeRecord record) {}
