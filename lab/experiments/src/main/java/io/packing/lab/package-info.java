// SPDX-License-Identifier: Apache-2.0
/** The command of the laboratory: experiments, benchmarks, hunts and demonstrations, each as a command below it. */
@NullMarked
package io.packing.lab;

import org.jspecify.annotations.NullMarked;
