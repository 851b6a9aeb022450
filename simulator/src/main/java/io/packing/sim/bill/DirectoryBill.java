// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

/**
 * A directory's part of a bill.
 *
 * @param files below it
 * @param bytes of these files
 * @param directDollars for requests, if each file is an object of its own
 * @param packedDollars for requests, if files are packed: the directory's share of the mount's, by bytes
 */
public record DirectoryBill(String directory, long files, long bytes, double directDollars, double packedDollars) {}
