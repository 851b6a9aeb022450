// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * The blob descriptor table of one mount (§4.2): its namespace, and for every file the owning worker or the extents. A caller that needs
 * a part of it takes the port of that part. Thread-safe.
 */
public interface Bdt extends BdtLookups, BdtChanges, BdtWorkers, BdtAdministration, AutoCloseable {
    @Override
    void close();
}
