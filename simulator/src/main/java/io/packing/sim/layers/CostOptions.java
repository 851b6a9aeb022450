// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

/** The prices and failure rates of hardware (Table 3.3); dollars, failures per year. */
public record CostOptions(double disk, double ramGb, double flashGb, double diskFailures, double ramFailures) {
    private static final double GB = 1e9;

    public CostOptions {
        if (!(disk >= 0 && ramGb >= 0 && flashGb >= 0 && diskFailures >= 0 && ramFailures >= 0)) {
            throw new IllegalArgumentException("cost: prices and failure rates are not below 0");
        }
    }

    /** Returns the dollars to buy disks, RAM and flash. */
    public double capex(int disks, long ramBytes, long flashBytes) {
        return disks * disk + ramBytes / GB * ramGb + flashBytes / GB * flashGb;
    }

    /** Returns the dollars a year to replace failed and worn parts. */
    public double opex(int disks, long ramBytes, long flashBytes, double flashYears) {
        double flash = flashBytes == 0 ? 0 : flashBytes / GB * flashGb / flashYears;
        return disks * disk * diskFailures + ramBytes / GB * ramGb * ramFailures + flash;
    }
}
