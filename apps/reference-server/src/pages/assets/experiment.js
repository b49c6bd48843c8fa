// experiment
