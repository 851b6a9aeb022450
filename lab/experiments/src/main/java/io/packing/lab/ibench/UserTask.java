// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.util.List;

/**
 * A task that a user does at a desktop.
 *
 * @param name of its recording
 * @param does what it does, in a few words
 * @param paper the task of the paper's Table 2.1 that it stands for; empty when the paper has none
 * @param needs programs that must be installed
 * @param setup a script that is run before the recording
 * @param run the script that is recorded
 */
public record UserTask(String name, String does, String paper, List<String> needs, String setup, String run) {
    public UserTask {
        needs = List.copyOf(needs);
    }
}
